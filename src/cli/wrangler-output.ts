/** What of the output of `wrangler dev` a user of `npm start` sees: the service's log, and what went wrong. */
import { stripVTControlCharacters } from "node:util";

/** Each line of them, and the empty lines that follow. */
const HIDDEN = [
  // its own line for each request: it has the path, and so possibly a token; the service logs the route (http/middleware/request-log.ts)
  /^\[wrangler:info\] [A-Z]+ \//,
  /^ ?⛅️ wrangler /u,
  /^─+$/,
  /^⎔ /,
  /^Using secrets defined in /,
  // what [build] made (build.ts), as a table
  /^\[custom build\] Running: /,
  /^Attaching additional modules:$/,
  /^[┌├│└]/,
  // a table of the bindings and settings: they are those of wrangler.toml
  /^Your Worker has access to the following bindings:/,
  /^Binding +Resource /,
  /^env\.\w+.* (local|remote|not supported)\s*$/,
  // what is due is refreshed by a command: npm run admin -- refresh
  /^▲ \[WARNING\] Scheduled Workers are not automatically triggered/,
  /^ {2}To manually trigger a scheduled event/,
  /^ {4}curl "http.*\/cdn-cgi\/local\/scheduled"/,
  /^ {2}For more details, see .*#test-cron-triggers-locally/,
];

/** For one stream: whether a line of it, with its colours, is shown. */
export function makeLineFilter(): (line: string) => boolean {
  let hidden = true;
  return (line) => {
    const text = stripVTControlCharacters(line);
    hidden = text.trim() === "" ? hidden : HIDDEN.some((pattern) => pattern.test(text));
    return !hidden;
  };
}
