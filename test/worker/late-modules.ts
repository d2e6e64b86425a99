/**
 * What the Worker loads late, loaded before the first request. In vitest's runner an `import()` is I/O of the request or object that
 * began it, and another that waits for the same module fails; in a deployed Worker modules are there already.
 */
import "../../src/eidas/stranger.ts";
import "../../src/events/observed-facts.ts";
import "../../src/events/used-code.ts";
import "../../src/evidence/ledger/institution-ledger.ts";
import "../../src/evidence/signatures/answer-signature.ts";
import "../../src/http/errors/error-response.ts";
import "../../src/http/middleware/json-body.ts";
import "../../src/psp-check/issuer-search.ts";
import "../../src/psp-check/kept-issuers.ts";
import "../../src/routes/introspect.ts";
import "../../src/routes/oauth2/authorization_codes.ts";
import "../../src/routes/oauth2/tokens.ts";
import "../../src/routes/obie/account_access_consents.ts";
import "../../src/routes/obie/authorization_codes.ts";
import "../../src/routes/obie/ccg_tokens.ts";
import "../../src/routes/obie/tokens.ts";
import "../../src/routes/v1_6/older-form.ts";
