/** A Durable Object with one record and no rule: what the grants' operations are compared with. */
import { DurableObject } from "cloudflare:workers";

export class BareRecord extends DurableObject<Env> {
  write(record: object): void {
    this.ctx.storage.kv.put("record", record);
  }

  /** One read, one write. */
  update(change: object): object {
    const record = { ...this.ctx.storage.kv.get<object>("record"), ...change };
    this.ctx.storage.kv.put("record", record);
    return record;
  }
}
