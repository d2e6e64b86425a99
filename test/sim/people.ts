/** People of the sandbox's institution in the console: one goes on reading while an administrator ends that person's sessions. */
import { Browser, hiddenFields } from "./browser.ts";
import type { Stage } from "./stage.ts";

const [SIGN_IN, PEOPLE] = ["/console/sign-in/person", "/console/people"];
const READ = `${PEOPLE}/acts`;
const AUDITOR = /end-sessions\?person=([0-9a-f]{64})">\s*End sessions… <span class="out">Sandbox auditor/;

export async function endSessions({ world, facts, random }: Stage): Promise<void> {
  const reader = new Browser(world, random.fork("reads"));
  const began = await reader.send("POST", SIGN_IN, { role: "auditor" });
  if (began.status !== 303) return;
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
    await administrator.send("POST", SIGN_IN, { role: "administrator" });
    const list = await administrator.send("GET", PEOPLE);
    const [, tag] = AUDITOR.exec(list.page?.text ?? "") ?? [];
    if (tag === undefined) return;
    const path = `${PEOPLE}/end-sessions`;
    const fields = hiddenFields(await administrator.send("GET", `${path}?person=${tag}`));
    for (let tries = 3; tries > 0; tries--) {
      const note = (exchange: (typeof facts.sessionEnds)[number]) => void facts.sessionEnds.push(exchange);
      const { status } = await administrator.send("POST", path, fields, note);
      if (status !== 0 && status < 500) return;
      await administrator.wait(500, 3_000);
    }
  }
}
