/** People of an institution in the console: one goes on reading while an administrator ends that person's sessions. */
import { hashSecret } from "../../src/platform/secrets.ts";
import { Browser, hiddenFields } from "./browser.ts";
import type { Exchange } from "./requests.ts";
import type { Stage } from "./stage.ts";

const PEOPLE = "/console/people";
const READ = `${PEOPLE}/acts`;
const FI = "PSDXX-TEST-FI0001";
const FIND_FI = "SELECT id FROM financial_institutions WHERE fi_reference_id = ?1";
const FIND_PERSON = "SELECT tag FROM people WHERE subject = ?1";

/** By a link that the operator makes. Null: nobody is signed in, or nobody knows. */
async function signIn({ world, random }: Stage, browser: Browser, role: "auditor" | "administrator") {
  const [fi] = world.database.read(FIND_FI, FI);
  const secret = await world.command<string>("makeLink", [fi?.["id"], role], random.fork(`link ${role}`));
  if (secret === null) return null;
  const began: Exchange = await browser.send("POST", `/console/sign-in/${FI}/link/${secret}`, {});
  const [person] = world.database.read(FIND_PERSON, hashSecret(secret));
  return began.status === 303 && person ? { began, tag: String(person["tag"]) } : null;
}

export async function endSessions(stage: Stage): Promise<void> {
  const { world, facts, random } = stage;
  const reader = new Browser(world, random.fork("reads"));
  const signedIn = await signIn(stage, reader, "auditor");
  if (!signedIn) return;
  const { began, tag } = signedIn;
  const reading = (async () => {
    for (let pages = random.between(4, 8); pages > 0; pages--) {
      await reader.wait(500, 6_000);
      await reader.send("GET", READ, undefined, (exchange) => void facts.pages.set(exchange, { began }));
    }
  })();
  await end();
  await reading;

  async function end(): Promise<void> {
    const administrator = new Browser(world, random.fork("ends"));
    if (!(await signIn(stage, administrator, "administrator"))) return;
    const path = `${PEOPLE}/end-sessions`;
    const fields = hiddenFields(await administrator.send("GET", `${path}?person=${tag}`));
    for (let tries = 3; tries > 0; tries--) {
      const note = (exchange: Exchange) => void facts.sessionEnds.push({ began, exchange });
      const { status } = await administrator.send("POST", path, fields, note);
      if (status !== 0 && status < 500) return;
      await administrator.wait(500, 3_000);
    }
  }
}
