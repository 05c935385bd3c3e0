/* The runtime as a library, for programs that prefer to link it (`vprof config --libs`). Their generated
 * plan.h defines VPROF_I_LINKED; then the unit of the root holds the plan's values, and a reference that
 * draws this object in. */
#define VPROF_I_LIBRARY 1
#include "vprof/runtime.h"
