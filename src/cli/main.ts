/** `npm run admin -- <noun> <verb>`: the operator's command line. */
import { runCommand } from "./program.ts";

process.exitCode = await runCommand(process.argv.slice(2));
