import { Counter, Gauge, type Registry } from "prom-client";

export interface MetricText {
  readonly name: string;
  readonly help: string;
}

type MetricLabels = Readonly<Record<string, string>>;
/** A value under its labels. */
export type Sample = readonly [MetricLabels, number];

/** Metrics whose values another part of the process holds; they are read on each request for `/metrics`. */
export class ReadMetrics {
  readonly #registry: Registry;

  constructor(registry: Registry) {
    this.#registry = registry;
  }

  gauge(text: MetricText, labels: readonly string[], read: () => Iterable<Sample>): void {
    new Gauge({
      ...text,
      labelNames: [...labels],
      registers: [this.#registry],
      collect() {
        this.reset();
        // A reset sets a metric without labels to 0, but an unknown value must be absent.
        if (labels.length === 0) this.remove();
        for (const [of, value] of read()) this.set(of, value);
      },
    });
  }

  /** `read` gives counts since the start of the process: they only grow. */
  counter(text: MetricText, labels: readonly string[], read: () => Iterable<Sample>): void {
    new Counter({
      ...text,
      labelNames: [...labels],
      registers: [this.#registry],
      collect() {
        this.reset();
        if (labels.length === 0) this.remove();
        for (const [of, value] of read()) this.inc(of, value);
      },
    });
  }
}

/** One value without labels. */
export const plain = (value: number): readonly Sample[] => [[{}, value]];

/** Values keyed by the one label. */
export const by = (label: string, counts: Readonly<Record<string, number>>): readonly Sample[] =>
  Object.entries(counts).map(([name, count]): Sample => [{ [label]: name }, count]);
