/** `npm run admin -- <noun> <verb>`: the operator's command line. */
import { setFlagsFromString } from "node:v8";

// before anything is loaded: else an import of the EBA's register leaves hundreds of megabytes of garbage (test/bench/eba.ts).
// Other commands are a third faster without
if (["register", "refresh"].includes(process.argv[2] ?? ""))
  for (const flag of ["--optimize-for-size", "--max-semi-space-size=2"]) setFlagsFromString(flag);

const { runCommand } = await import("./program.ts");
process.exitCode = await runCommand(process.argv.slice(2));
