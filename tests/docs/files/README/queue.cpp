#include <capacity.hpp>

int queue_capacity() { return capacity; }
