import type { CallResult, ContractCall } from "../../../chains/chain.ts";
import type { FreezeView, IssuerCoin } from "../../../knowledge/issuer.ts";
import { viewsOf } from "../../../labels/issuers/index.ts";
import { concatHex, type Hex, keccak256, toHex } from "../../../lib/bytes.ts";
import { AssayError } from "../../../lib/errors.ts";
import { uintAt, WORD_BYTES } from "../../../lib/words.ts";
import { selectorOf, wordOf } from "../../abi.ts";
import type { SnapshotContext } from "../../context.ts";

/** The contract's own answer about an account. */
export type ViewResult =
  /** The contract has no trusted view: events alone decide. */
  | { readonly kind: "none" }
  /** No contract exists at this block, so no account can be frozen yet. */
  | { readonly kind: "absent" }
  | { readonly kind: "said"; readonly is_frozen: boolean; readonly method: string }
  /** `is_frozen` is true when any view said so, else null: a broken view proves nothing else. */
  | { readonly kind: "fault"; readonly is_frozen: true | null; readonly method: string; readonly reason: string };

/** Subjects of one coin's views: the account, a known frozen account, and a fresh account. */
export interface ViewQuery {
  readonly coin: IssuerCoin;
  readonly account: Hex;
  /** Null when no account is frozen by the events. */
  readonly witness: Hex | null;
}

/** A fresh account, which no issuer can have frozen: the tail of a hash. */
export const FRESH_ACCOUNT: Hex = toHex(
  keccak256(new TextEncoder().encode("an account that no issuer ever froze")).subarray(12),
);

/** A view's answers; null is no bool. `witness` is undefined without a witness. */
export interface ViewAnswers {
  readonly view: FreezeView;
  readonly account: boolean | null;
  readonly witness: boolean | null | undefined;
  readonly fresh: boolean | null;
}

const boolIn = ({ ok, data }: CallResult): boolean | null => {
  if (!ok || data.length !== WORD_BYTES) return null;
  const value = uintAt(data, 0);
  return value > 1n ? null : value === 1n;
};

const passes = ({ witness, fresh }: ViewAnswers): boolean =>
  fresh === false && (witness === undefined || witness === true);

/**
 * Trusts a view only after its self-test: the frozen witness is frozen, the fresh account is not. A view without read
 * source is ignored until there is a witness. One trusted view that says "frozen" is enough.
 */
export const judgeViews = (answers: readonly ViewAnswers[]): ViewResult => {
  const used = answers.filter(({ view, witness }) => view.is_confirmed || witness !== undefined);
  if (used.length === 0) return { kind: "none" };
  const method = used.map(({ view }) => view.signature).join(", ");
  const read = used.filter(({ account }) => account !== null);
  const is_frozen = read.some(({ account }) => account === true) || null;
  if (read.length === 0) return { kind: "fault", is_frozen, method, reason: "The contract does not answer the view." };
  const believed = read.filter(passes);
  const [first] = believed;
  if (first === undefined) {
    const reason = "The view is disabled: it failed its self-test on an account known to be frozen and a fresh one.";
    return { kind: "fault", is_frozen, method, reason };
  }
  const positive = believed.find(({ account }) => account === true);
  return { kind: "said", is_frozen: positive !== undefined, method: (positive ?? first).view.signature };
};

const callFor = (coin: IssuerCoin, view: FreezeView, account: Hex): ContractCall => ({
  to: coin.address,
  data: concatHex(selectorOf(view.signature), wordOf(account)),
});

interface ViewCall {
  readonly view: FreezeView;
  readonly accounts: readonly Hex[];
}

const viewCallsOf = ({ coin, account, witness }: ViewQuery): readonly ViewCall[] =>
  viewsOf(coin).map((view) => ({ view, accounts: [account, FRESH_ACCOUNT, ...(witness === null ? [] : [witness])] }));

export const NOT_QUERIED: ViewResult = {
  kind: "fault",
  is_frozen: null,
  method: "none",
  reason: "The contract was not called.",
};

/** Checks whether an unresponsive contract exists. */
const presence = async (scope: SnapshotContext, { coin }: ViewQuery, says: ViewResult): Promise<ViewResult> => {
  if (says.kind !== "fault") return says;
  const { code } = await scope.chain.account(coin.address, scope.signal, scope.snapshot.block.number);
  return code.length === 0 ? { kind: "absent" } : says;
};

/**
 * Answers in the order of the questions, all at the snapshot's block. An unavailable node is a fault of every question.
 */
export const readViews = async (
  scope: SnapshotContext,
  questions: readonly ViewQuery[],
): Promise<readonly ViewResult[]> => {
  const asked = questions.map((question) => ({ question, views: viewCallsOf(question) }));
  const calls = asked.flatMap(({ question, views }) =>
    views.flatMap(({ view, accounts }) => accounts.map((account) => callFor(question.coin, view, account))),
  );
  try {
    const results = calls.length === 0 ? [] : await scope.chain.call(calls, scope.signal, scope.snapshot.block.number);
    let at = 0;
    const judged = asked.map(({ views }) =>
      judgeViews(
        views.map(({ view, accounts }): ViewAnswers => {
          const [account = null, fresh = null, witness] = results.slice(at, at + accounts.length).map(boolIn);
          at += accounts.length;
          return { view, account, fresh, witness: accounts.length < 3 ? undefined : (witness ?? null) };
        }),
      ),
    );
    return await Promise.all(questions.map((question, i) => presence(scope, question, judged[i] ?? NOT_QUERIED)));
  } catch (error) {
    if (!(error instanceof AssayError) || error.code !== "UPSTREAM_UNAVAILABLE") throw error;
    return asked.map(({ views }): ViewResult => {
      const method = views.map(({ view }) => view.signature).join(", ");
      return views.length === 0
        ? { kind: "none" }
        : { kind: "fault", is_frozen: null, method, reason: "No node answered at this block." };
    });
  }
};
