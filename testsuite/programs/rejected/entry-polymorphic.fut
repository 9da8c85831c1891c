-- An entry point has no type parameters.
-- ==
-- error: polymorphic

entry f 't (x: t) = x
