/** An operator in the console. */
import { Browser, hiddenFields } from "./browser.ts";
import type { StatusForm } from "./facts.ts";
import { WATCHED_FI } from "./seed.ts";

const STATUS = "/console/institutions/status";

export class Officer extends Browser {
  /** Asks for the form, and sends it some seconds later; again, while no answer or 503 comes, at most so many times. */
  async setStatus(to: StatusForm["to"], tries: number, sent: (change: StatusForm) => void): Promise<void> {
    await this.send("POST", "/console/sign-in/operator", {});
    const form = await this.send("GET", `${STATUS}?reference=${WATCHED_FI}&to=${to}`);
    if (form.status !== 200) return;
    const fields = hiddenFields(form);
    await this.wait(500, 5_000);
    for (let left = tries; left > 0; left--) {
      const { status } = await this.send("POST", STATUS, fields, (exchange) => sent({ to, form, exchange }));
      if (status !== 0 && status < 500) return;
      await this.wait(500, 6_000);
    }
  }
}
