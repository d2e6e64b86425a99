/** POST /v1/obie/authorization_code of version 1.6: the answer is that of the successor. */
import { createAuthorizationCode } from "../obie/authorization_codes.ts";
import { requireClaims, translateBody } from "./claims.ts";

const [validateBody, authenticate, createCode] = createAuthorizationCode;

export const createOlderAuthorizationCode = [
  translateBody,
  validateBody,
  authenticate,
  requireClaims,
  createCode,
] as const;
