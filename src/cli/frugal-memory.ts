/**
 * Keeps the memory of a long command near the size of its live data. Node collects late on a machine with free memory:
 * streaming a register of 217 MB would leave several hundred MB of garbage.
 */
import v8 from "node:v8";
import vm from "node:vm";

/** Limits V8's new space, and returns a function that runs a full garbage collection (about 50 ms). */
export function keepMemoryLow(): () => void {
  v8.setFlagsFromString("--max-semi-space-size=4");
  v8.setFlagsFromString("--expose-gc");
  return vm.runInNewContext("gc") as () => void;
}
