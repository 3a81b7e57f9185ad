import { ACT_EVENTS } from "../../../knowledge/acts.gen.ts";
import { familyOf, readersOf } from "./event_rows.ts";

/** Acts that one event describes in full, as `knowledge/protocols` and `knowledge/acts` list them. */
export const knownEvents = familyOf(readersOf(ACT_EVENTS));
