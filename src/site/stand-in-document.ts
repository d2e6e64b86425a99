/** Until src/contract/document.ts is here. */
import { ENDPOINTS } from "../endpoints.ts";

export function buildDocument() {
  const paths: Record<string, Record<string, unknown>> = {};
  const header = (name: string, required = true) => ({ name, in: "header", required, schema: { type: "string" } });
  for (const { path, method } of ENDPOINTS) {
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
      name,
      in: "path",
      required: true,
      schema: { type: "string" },
    }));
    const eidas = path.includes("oauth2") || path.includes("eidas") ? [header("eidas")] : [];
    paths[path] = {
      ...paths[path],
      [method.toLowerCase()]: {
        operationId: `${method} ${path}`.replaceAll(/\W+/g, "_"),
        tags: [path.split("/")[2]],
        summary: `${method} ${path}`,
        parameters: [
          { $ref: "#/components/parameters/fi_reference_id" },
          { $ref: "#/components/parameters/version" },
          ...eidas,
          ...names,
          ...(path.includes("eidas") ? [{ ...header("jurisdiction"), in: "query" }] : []),
        ],
        responses: { 200: { description: "as documented" } },
      },
    };
  }
  return {
    openapi: "3.1.1",
    info: { title: "psp-gate", version: "0" },
    servers: [{ url: "/" }],
    security: [{ FinancialInstitution: [] }],
    paths,
    components: {
      securitySchemes: { FinancialInstitution: { type: "http", scheme: "basic" } },
      parameters: { fi_reference_id: header("fi_reference_id"), version: header("version") },
    },
  };
}
