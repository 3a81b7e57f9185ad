export const DAY_S = 86_400;
export const HOUR_S = 3_600;

/** ISO 8601 UTC with `Z`, whole seconds. `time` is unix seconds. */
export const iso = (time: number): string => `${new Date(time * 1000).toISOString().slice(0, 19)}Z`;

/** `YYYY-MM-DD` of a unix second. */
export const isoDay = (time: number): string => iso(time).slice(0, 10);

/** First second of a `YYYY-MM-DD` UTC day, or null when the day does not exist. */
export const dayStart = (text: string): number | null => {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return null;
  const time = Date.parse(`${text}T00:00:00Z`);
  if (Number.isNaN(time) || isoDay(time / 1000) !== text) return null;
  return time / 1000;
};

const MOMENT = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+-]\d{2}:\d{2})?$/i;

/** Unix second (rounded down) of an ISO 8601 date-time, in UTC unless it has an offset; null for other text and for a moment that does not exist. */
export const momentOf = (text: string): number | null => {
  const [, day = "", clock = "", zone = "Z"] = MOMENT.exec(text) ?? [];
  if (dayStart(day) === null) return null;
  const time = Date.parse(`${day}T${clock}${zone.toUpperCase()}`);
  return Number.isNaN(time) ? null : Math.floor(time / 1000);
};

export const hourOf = (time: number): number => time - (time % HOUR_S);
