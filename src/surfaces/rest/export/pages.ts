import { toJson } from "../../http/json.ts";
import type { SurfaceResponse } from "../../surface_response.ts";
import { nextOf } from "../../view/frame.ts";
import type { AnswerMembers } from "../../view/shape.ts";

export interface ExportPage {
  readonly answer: SurfaceResponse;
  /** The answer as JSON members; null when it has no data: a refusal, `no_data` or an error. */
  readonly data: AnswerMembers | null;
}

interface PageWalk {
  /** Names of the tool's arguments. */
  readonly inputs: ReadonlySet<string>;
  /** False: the list has one page, whatever the pages of the answer are. */
  readonly is_paged: boolean;
  readonly call: (args: AnswerMembers, page: number) => Promise<SurfaceResponse>;
}

const dataOf = ({ status, body }: SurfaceResponse): AnswerMembers | null => {
  if (status !== 200) return null;
  // Every body of the call path is an object; raw amounts become text here, as they do for a single call.
  const members = JSON.parse(toJson(body)) as AnswerMembers;
  return members.status === "no_data" || members.status === "error" || members.error !== undefined ? null : members;
};

/** The pages of one list from the first wanted one on. Ends after the last page, or after a page without data. */
export async function* pagesFrom(
  first: AnswerMembers,
  { inputs, is_paged, call }: PageWalk,
): AsyncGenerator<ExportPage> {
  let args: AnswerMembers | null = first;
  for (let page = 0; args !== null; page += 1) {
    const answer = await call(args, page);
    const data = dataOf(answer);
    yield { answer, data };
    const next = data === null || !is_paged ? null : nextOf(data, inputs);
    args = next === null ? null : { ...args, ...next };
  }
}
