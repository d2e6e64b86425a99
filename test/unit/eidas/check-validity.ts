import type { FoundPath, ValidityCheck, ValidityInput } from "../../../src/eidas/validity.ts";
import { findPath, judgeValidity } from "../../../src/eidas/validity.ts";
import type { RevocationStatus } from "../../../src/revocation/revocation-status.ts";

export interface Input extends ValidityInput {
  /** Asked for a valid path only. */
  readonly revocation?: (...[path, signers]: [FoundPath["path"], FoundPath["signers"]]) => Promise<RevocationStatus[]>;
}

/** The verdicts on a certificate, with what is said of its path's revocation. */
export async function checkValidity({ revocation, ...input }: Input): Promise<ValidityCheck> {
  const found = await findPath(input);
  const { path, signers } = found;
  return judgeValidity(input, found, path.length > 0 && revocation ? await revocation(path, signers) : []);
}
