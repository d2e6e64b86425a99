import { placement } from "../sandbox.ts";

Object.assign(placement, { sandbox: 3, other: 2 });
await import("../isolation.test.ts");
