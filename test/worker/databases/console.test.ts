import { runPlaced } from "./placed.ts";

await runPlaced({ sandbox: 2, other: 3 }, () => import("../console/permissions.test.ts"));
