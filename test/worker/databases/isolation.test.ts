import { runPlaced } from "./placed.ts";

await runPlaced({ sandbox: 3, other: 2 }, () => import("../institutions/isolation.test.ts"));
