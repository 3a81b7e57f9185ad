/** Writing of a response that is longer than one text. */
import { once } from "node:events";
import type { ServerResponse } from "node:http";

/** How long a client may leave sent text unread. */
const TAKES_WITHIN_MS = 30_000;

/** Writes a text, and waits until the connection takes more. False if the client is gone or does not read; then the response is destroyed. */
export const sendText = async (response: ServerResponse, text: string, ends: AbortSignal): Promise<boolean> => {
  if (response.destroyed) return false;
  if (response.write(text)) return true;
  const late = AbortSignal.timeout(TAKES_WITHIN_MS);
  const wait = AbortSignal.any([ends, late]);
  const is_taken = await once(response, "drain", { signal: wait }).then(
    () => true,
    () => false,
  );
  if (!is_taken && late.aborted) response.destroy();
  return is_taken;
};
