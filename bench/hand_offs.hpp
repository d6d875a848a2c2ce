#pragma once

/// How often per second two pinned OS threads can hand a baton to each other: the yardstick for everything that a
/// scheduler of OS threads could do. The better of two placements: on one processor, and on two.
double hand_offs_per_second();
