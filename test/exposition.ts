/** Prometheus text, read as a scraper reads it. */
export interface ExposedMetric {
  readonly name: string;
  readonly type: string;
  readonly help: string;
  readonly samples: readonly ExposedSample[];
}

export interface ExposedSample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const SAMPLE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/;

const labelsOf = (text: string): Record<string, string> =>
  Object.fromEntries([...text.matchAll(/([a-z_]+)="((?:[^"\\]|\\.)*)"/g)].map(([, name, value]) => [name, value]));

/** Throws where the text is not of the format. */
export const readExposition = (text: string): ReadonlyMap<string, ExposedMetric> => {
  const metrics = new Map<string, ExposedMetric & { samples: ExposedSample[] }>();
  let current: (ExposedMetric & { samples: ExposedSample[] }) | null = null;
  let help = "";
  for (const line of text.split("\n").filter((one) => one !== "")) {
    const [, kind, name = "", rest = ""] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? [];
    if (kind === "HELP") help = rest;
    else if (kind === "TYPE") {
      if (metrics.has(name)) throw new Error(`${name} appears twice`);
      current = { name, type: rest, help, samples: [] };
      metrics.set(name, current);
    } else {
      const [, sample = "", labels = "", value = ""] = SAMPLE.exec(line) ?? [];
      // prom-client writes the mean of nothing as Nan, which scrapers read.
      if (sample === "" || (Number.isNaN(Number(value)) && !/^nan$/i.test(value)))
        throw new Error(`no sample: ${line}`);
      if (current === null || !sample.startsWith(current.name)) throw new Error(`${sample} has no type`);
      current.samples.push({ name: sample, labels: labelsOf(labels), value: Number(value) });
    }
  }
  return metrics;
};
