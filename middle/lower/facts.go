package lower

import "skald/middle/facts"

// Facts are what lowering needs to know of a device.
type Facts = facts.Facts
