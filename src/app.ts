/** The whole pipeline: what every request goes through, in the order of design.md section 4, and every route. */
import { Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import type { AppEnv } from "./context.ts";
import { ApiError, errorResponse } from "./errors.ts";
import { endpoint } from "./middleware/endpoint.ts";
import { financialInstitution } from "./middleware/financial-institution.ts";
import { rateLimit } from "./middleware/rate-limit.ts";
import { contentType, version } from "./middleware/request-headers.ts";
import { requestLog } from "./middleware/request-log.ts";
import { errorsPage } from "./routes/errors.ts";
import { answerPspCheck, readAhead } from "./routes/psp/eidas.ts";

export const app = new Hono<AppEnv>();

app.use(requestLog);
app.get("/errors", errorsPage);

app.use("/v1/*", rateLimit, endpoint);
app.use("/v1/psp/eidas", readAhead);
app.use("/v1/*", financialInstitution, version, contentType);

app.get("/v1/psp/eidas", answerPspCheck);

app.notFound((c) => errorResponse(c, new ApiError({ code: "path_not_found" })));

app.onError((error, c) => {
  if (error instanceof ApiError) return errorResponse(c, error);
  if (error instanceof HTTPException && error.status === 400)
    return errorResponse(c, new ApiError({ code: "body_malformed" }));
  // all of it in the log, nothing of the inside in the answer
  console.error(JSON.stringify({ request_id: c.var.requestId, error: error.message, stack: error.stack }));
  return errorResponse(c, new ApiError({ code: "internal_error" }));
});
