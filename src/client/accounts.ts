/** What customers agreed to, for the bank's own pages, and its block of an account: `/v1/accounts/...`. */
import { type CallOptions, type Connection, callOperation, Listing, readData, readPage } from "./call.ts";
import type { AccountBlock, ParametersOf, Permission } from "./records.ts";
import type { Operation } from "./request.ts";

const PERMISSIONS = "/v1/accounts/{account_id}/permissions";
const PERMISSION = "/v1/accounts/{account_id}/permissions/{permission_id}";
const BLOCK = "/v1/accounts/{account_id}/block";

const LIST_PERMISSIONS: Operation = {
  method: "GET",
  path: PERMISSIONS,
  query: ["status", "cursor"],
  repeat: "always",
  has: "data",
};
const WITHDRAW_ALL: Operation = { method: "DELETE", path: PERMISSIONS, query: ["by"], repeat: "always" };
const WITHDRAW: Operation = { method: "DELETE", path: PERMISSION, query: ["by"], repeat: "always" };
const GET_BLOCK: Operation = { method: "GET", path: BLOCK, repeat: "always", has: "data" };
const PUT_BLOCK: Operation = { method: "PUT", path: BLOCK, repeat: "always", has: "data" };
const DELETE_BLOCK: Operation = { method: "DELETE", path: BLOCK, repeat: "always" };

export class Accounts {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /**
   * `GET /v1/accounts/{account_id}/permissions`: which PSP may see or do what, until when, and what ended, by whom; up
   * to 50 a page: `await` gives a page, `for await` all.
   */
  listPermissions(parameters: ParametersOf<"listAccountPermissions">, options?: CallOptions): Listing<Permission> {
    const fetchPage = (cursor: string | undefined) =>
      readPage<Permission>(callOperation(this.#connection, LIST_PERMISSIONS, { ...parameters, cursor }, options));
    return new Listing(fetchPage, parameters.cursor);
  }

  /**
   * `DELETE /v1/accounts/{account_id}/permissions/{permission_id}`: every token and code under the permission is dead at
   * once. `by`: `bank`, unless it is the `customer`. One that has ended already is no error.
   */
  async withdrawPermission(
    parameters: ParametersOf<"withdrawAccountPermission">,
    options?: CallOptions,
  ): Promise<void> {
    await callOperation(this.#connection, WITHDRAW, parameters, options);
  }

  /** `DELETE /v1/accounts/{account_id}/permissions`: withdraws all, also those whose codes are under way. */
  async withdrawAllPermissions(
    parameters: ParametersOf<"withdrawAccountPermissions">,
    options?: CallOptions,
  ): Promise<void> {
    await callOperation(this.#connection, WITHDRAW_ALL, parameters, options);
  }

  /** `GET /v1/accounts/{account_id}/block`: no scope if the account is not blocked. */
  getBlock(parameters: ParametersOf<"getAccountBlock">, options?: CallOptions): Promise<AccountBlock> {
    return readData(this.#connection, GET_BLOCK, parameters, options);
  }

  /**
   * `PUT /v1/accounts/{account_id}/block`: for these scopes no code, no token, no authorization, and live tokens are
   * inactive, until it is lifted. Replaces an earlier block: a scope that is not named is free again.
   */
  putBlock(parameters: ParametersOf<"putAccountBlock">, options?: CallOptions): Promise<AccountBlock> {
    return readData(this.#connection, PUT_BLOCK, parameters, options);
  }

  /** `DELETE /v1/accounts/{account_id}/block`: lifts it. None is no error. */
  async deleteBlock(parameters: ParametersOf<"deleteAccountBlock">, options?: CallOptions): Promise<void> {
    await callOperation(this.#connection, DELETE_BLOCK, parameters, options);
  }
}
