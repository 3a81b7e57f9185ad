/** Addresses to which a program lets the browser return. */

const LENGTH_MAX = 512;

/** Programs on the user's own machine listen on a port that is not known before (RFC 8252, 7.3). */
const LOOPBACK = /^http:\/\/(127\.0\.0\.1|localhost|\[::1\])(:\d{1,5})?(?=[/?]|$)/;

/** Whether a redirect may lead to such an address: by TLS, or to the user's own machine. */
export const isRedirectAllowed = (text: string): boolean => {
  if (text.length > LENGTH_MAX || !/^[\x21-\x7e]+$/.test(text) || text.includes("#") || !URL.canParse(text))
    return false;
  const { protocol, username, password } = new URL(text);
  return username + password === "" && (protocol === "https:" || LOOPBACK.test(text));
};

const withoutPort = (text: string): string => text.replace(LOOPBACK, "http://$1");

/** Whether an address is one of the registered ones: character by character, except the port on the user's own machine. */
export const isRegistered = (sent: string, registered: readonly string[]): boolean =>
  isRedirectAllowed(sent) &&
  registered.some((one) => one === sent || (LOOPBACK.test(one) && withoutPort(one) === withoutPort(sent)));

export const isLoopback = (text: string): boolean => LOOPBACK.test(text);

/** An address with parameters of an answer behind those that it has. */
export const withParameters = (address: string, parameters: Readonly<Record<string, string | null>>): string => {
  const given = Object.entries(parameters).filter((one): one is [string, string] => one[1] !== null);
  return `${address}${address.includes("?") ? "&" : "?"}${new URLSearchParams(given)}`;
};
