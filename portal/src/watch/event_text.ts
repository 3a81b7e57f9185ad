/** A watched event in words. Names and symbols in it are written by strangers: the page isolates the text. */
import { fieldsOf, type JsonObject, textOf } from "../api/answer.ts";

const wordIn = (row: JsonObject, name: string): string => textOf(row[name]) ?? "";

/** A raw integer with its decimals, exactly; null when it is no integer. */
export const amountOf = (raw: unknown, decimals: unknown): string | null => {
  if (typeof raw !== "string" || !/^\d{1,100}$/.test(raw)) return null;
  const places = typeof decimals === "number" && Number.isInteger(decimals) && decimals >= 0 ? decimals : 0;
  const digits = raw.padStart(places + 1, "0");
  const [whole, rest] = [digits.slice(0, digits.length - places), digits.slice(digits.length - places)];
  const shown = whole.replace(/^0+(?=\d)/, "").replace(/\B(?=(\d{3})+$)/g, ",");
  const fraction = rest.replace(/0+$/, "");
  return fraction === "" ? shown : `${shown}.${fraction}`;
};

const usdOf = (usd: unknown): string =>
  typeof usd === "number" ? `, ${usd.toLocaleString("en-US", { style: "currency", currency: "USD" })}` : ", no price";

const tokenOf = (movement: JsonObject): string => {
  const token = fieldsOf(movement.token);
  const name = textOf(token.symbol) ?? textOf(token.address) ?? "an unknown token";
  const amount = amountOf(movement.amount_raw, token.decimals);
  return amount === null ? `${name} ${textOf(movement.token_id) ?? ""}`.trim() : `${amount} ${name}`;
};

const movementText = (event: JsonObject): string => {
  const movement = fieldsOf(event.movement);
  const way = `${wordIn(movement, "source") || "unknown"} to ${wordIn(movement, "destination") || "unknown"}`;
  return `${wordIn(event, "direction")}: ${tokenOf(movement)} from ${way}${usdOf(event.usd)}`;
};

const riskText = (event: JsonObject): string => {
  const { before, now } = fieldsOf(event.risk);
  const level = (value: unknown): string =>
    textOf(value) ?? textOf(fieldsOf(value).level) ?? textOf(fieldsOf(value).verdict) ?? "unknown";
  return `risk changed from ${level(before)} to ${level(now)}`;
};

/** One line about an event's body. */
export const eventText = (event: JsonObject): string => {
  const type = wordIn(event, "type");
  if (type === "movement") return movementText(event);
  if (type === "risk") return riskText(event);
  const because = textOf(event.because);
  return because === null ? type.replaceAll("_", " ") : `${type.replaceAll("_", " ")}, because: ${because}`;
};

/** State of an event's delivery. */
export const deliveryText = (row: JsonObject): string => {
  if (row.state === "unpaid") return "not paid";
  if (row.delivery === null || row.delivery === undefined) return "listed and streamed";
  const delivery = fieldsOf(row.delivery);
  const tries = typeof delivery.attempts === "number" ? delivery.attempts : 0;
  const reason =
    textOf(delivery.last_fault) ?? (typeof delivery.last_status === "number" ? `HTTP ${delivery.last_status}` : "");
  const next = delivery.state === "waiting" ? textOf(delivery.next_at) : null;
  return [
    `${wordIn(delivery, "state")} after ${tries} ${tries === 1 ? "attempt" : "attempts"}`,
    reason,
    next === null ? "" : `next at ${next}`,
  ]
    .filter((part) => part !== "")
    .join(", ");
};
