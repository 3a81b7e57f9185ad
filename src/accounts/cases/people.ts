/** Names of the people of an account who worked on a case. */
import type { Queries } from "../database.ts";

/** An actor of the audit trail with the name under which the user signs in. */
export interface CasePerson {
  readonly actor: string;
  readonly name: string;
}

const USERS_SQL = "select id, name from users where account_id = $1 order by id";

/** Users among the actors; keys have no name. Removed users keep theirs. */
export const peopleAmong = async (
  queries: Queries,
  account_id: string,
  actors: ReadonlySet<string>,
): Promise<readonly CasePerson[]> => {
  const users = await queries.all<{ id: string; name: string }>(USERS_SQL, [account_id]);
  return users.map(({ id, name }) => ({ actor: `user:${id}`, name })).filter(({ actor }) => actors.has(actor));
};

/** The name of an actor in a sentence. */
export const nameIn = async (queries: Queries, account_id: string, actor: string): Promise<string> => {
  const [person] = await peopleAmong(queries, account_id, new Set([actor]));
  return person?.name ?? actor;
};
