-- An entry point with a type parameter.
-- ==
-- error: polymorphic

entry main 'a (x: a) : a = x
