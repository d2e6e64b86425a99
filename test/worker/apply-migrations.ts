import { applyD1Migrations } from "cloudflare:test";
import { env } from "cloudflare:workers";

// runs before each test file; applies only what is not applied yet
await applyD1Migrations(env.DB, env.TEST_MIGRATIONS);
