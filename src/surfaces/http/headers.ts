/** Headers of a request as the parser of the HTTP server returns them: name, value, name, value … */
export type RawHeaders = readonly string[];

/** Every value of one header, in order of arrival. `name` in lower case. */
export const valuesOf = (raw_headers: RawHeaders, name: string): readonly string[] =>
  raw_headers.filter((_, at) => at % 2 === 1 && raw_headers[at - 1]?.toLowerCase() === name);
