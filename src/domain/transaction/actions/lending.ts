import { ACT_EVENTS } from "../../../knowledge/protocols.gen.ts";
import { familyOf, readersOf } from "./event_rows.ts";

/** Money markets, as `knowledge/protocols` describes them. */
export const lending = familyOf(readersOf(ACT_EVENTS));
