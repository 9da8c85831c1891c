-- Records have no order.
-- ==
-- error: main|record|{

def main (x: i32) = {a = x} < {a = x}
