/** POST /v1/obie/token of version 1.6: the answer is that of the successor. */
import { createToken } from "../obie/tokens.ts";
import { requireClaims, translateBody } from "./claims.ts";

const [validateBody, authenticate, exchange] = createToken;

export const createOlderToken = [translateBody, validateBody, authenticate, requireClaims, exchange] as const;
