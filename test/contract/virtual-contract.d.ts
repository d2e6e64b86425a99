declare module "virtual:contract" {
  export const validators: import("./contract.ts").Contract["validators"];
  export const operations: import("./contract.ts").Contract["operations"];
  export const document: import("./contract.ts").Contract["document"];
}
