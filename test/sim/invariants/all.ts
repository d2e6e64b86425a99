/** All that is looked at, in this order. */
import { disabledIsDead } from "./disabled-is-dead.ts";
import { disabledStaysDisabled } from "./disabled-stays-disabled.ts";
import { ebaIsCurrent } from "./eba-is-current.ts";
import { endedIsDead } from "./ended-is-dead.ts";
import { endedSessionIsDead } from "./ended-session-is-dead.ts";
import { erasedIsGone } from "./erased-is-gone.ts";
import { grantedByAList } from "./granted-by-a-list.ts";
import { importIsWhole } from "./import-is-whole.ts";
import type { Invariant } from "./invariant.ts";
import { ledgerIsWhole } from "./ledger-is-whole.ts";
import { limitHolds } from "./limit-holds.ts";
import { listAgrees } from "./list-agrees.ts";
import { listsAreCurrent } from "./lists-are-current.ts";
import { noOlderList } from "./no-older-list.ts";
import { noWrongNo } from "./no-wrong-no.ts";
import { notAfterItsEnd } from "./not-after-its-end.ts";
import { nothingStays } from "./nothing-stays.ts";
import { oneLiveToken } from "./one-live-token.ts";
import { oneStory } from "./one-story.ts";
import { onlyForItsOwn } from "./only-for-its-own.ts";
import { revokedStaysRevoked } from "./revoked-stays-revoked.ts";
import { toldOnce } from "./told-once.ts";
import { unknownIsNoYes } from "./unknown-is-no-yes.ts";
import { usedTwice } from "./used-twice.ts";
import { withdrawnIsNoYes } from "./withdrawn-is-no-yes.ts";

export const INVARIANTS: readonly Invariant[] = [
  oneLiveToken,
  endedIsDead,
  disabledStaysDisabled,
  endedSessionIsDead,
  usedTwice,
  notAfterItsEnd,
  onlyForItsOwn,
  revokedStaysRevoked,
  unknownIsNoYes,
  withdrawnIsNoYes,
  noOlderList,
  grantedByAList,
  limitHolds,
  disabledIsDead,
  erasedIsGone,
  noWrongNo,
  oneStory,
  listAgrees,
  importIsWhole,
  listsAreCurrent,
  ebaIsCurrent,
  toldOnce,
  ledgerIsWhole,
  nothingStays,
];
