terraform import postgresql_function.increment "shop.public.increment(integer)"
