import { Refusal, Section, Table } from "../account/parts.tsx";
import { formatNumber, numberOf, rowsOf, useAccountQuery, words } from "../account/request.ts";
import { type JsonObject, textOf } from "../api/answer.ts";

type Gap = readonly [from: number, to: number];

const gapsOf = ({ gaps }: JsonObject): readonly Gap[] =>
  Array.isArray(gaps)
    ? gaps.flatMap((gap: unknown) => {
        const [from, to] = Array.isArray(gap) ? gap : [];
        return typeof from === "number" && typeof to === "number" ? [[from, to] as const] : [];
      })
    : [];

/** The blocks that are wanted, from the first one to the head, and which of them are missing. */
const Coverage = ({ network }: { readonly network: JsonObject }) => {
  const gaps = gapsOf(network);
  const [head, from] = [numberOf(network, "head") ?? numberOf(network, "indexed"), numberOf(network, "from_block")];
  const first = Math.min(from ?? Number.POSITIVE_INFINITY, ...gaps.map(([start]) => start));
  if (head === null || !Number.isFinite(first)) return <p class="quiet">No block is indexed yet.</p>;
  const whole = Math.max(1, head - first + 1);
  const missing = numberOf(network, "missing_blocks") ?? 0;
  const percent = Math.floor((1_000 * Math.max(0, whole - missing)) / whole) / 10;
  return (
    <figure class="coverage">
      <svg
        viewBox="0 0 1000 14"
        preserveAspectRatio="none"
        role="img"
        aria-label={`${percent} % of blocks ${first} to ${head} are indexed, in ${formatNumber(numberOf(network, "gap_count"))} gaps ${formatNumber(missing)} are missing`}
      >
        <rect class="bar-part" width="1000" height="14" />
        {gaps.map(([start, end]) => (
          <rect
            key={start}
            class="bar-gap"
            x={(1_000 * (start - first)) / whole}
            width={Math.max(2, (1_000 * (end - start + 1)) / whole)}
            height="14"
          >
            <title>{`blocks ${formatNumber(start)} to ${formatNumber(end)} are missing`}</title>
          </rect>
        ))}
      </svg>
      <figcaption>
        <span>{formatNumber(first)}</span>
        <span>
          {percent} % indexed{missing === 0 ? "" : `, ${formatNumber(missing)} blocks missing`}
        </span>
        <span>{formatNumber(head)}</span>
      </figcaption>
    </figure>
  );
};

const VERIFIED: Readonly<Record<string, string>> = {
  full: "in full",
  receipts: "receipts",
  none: "not in every part",
};

const speedOf = (network: JsonObject): string => {
  const speed = numberOf(network, "blocks_per_second");
  return speed === null ? "—" : `${speed.toLocaleString("en-US", { maximumFractionDigits: 1 })} blocks/s`;
};

const Network = ({ network }: { readonly network: JsonObject }) => {
  const problem = textOf(network.problem);
  const elsewhere = textOf(network.indexed_by);
  return (
    <article class="network">
      <h3>
        {words(network, "network")} <small>{words(network, "state")}</small>
      </h3>
      <Coverage network={network} />
      <dl class="figures small">
        {[
          ["Head", formatNumber(numberOf(network, "head"))],
          ["Indexed to", formatNumber(numberOf(network, "indexed"))],
          ["Behind", formatNumber(numberOf(network, "lag_blocks"))],
          ["Speed", speedOf(network)],
          ["Still to read", formatNumber(numberOf(network, "remaining_blocks"))],
          ["Recomputed", VERIFIED[words(network, "verified")] ?? "—"],
          ["Nodes differed", formatNumber(numberOf(network, "disagreements"))],
        ].map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {problem === null ? null : <p class="problem">{problem}</p>}
      {elsewhere === null ? null : <p class="quiet">Indexed by {elsewhere}.</p>}
    </article>
  );
};

/** Progress and gaps of each network. */
export const Networks = () => {
  const { answer, again } = useAccountQuery("/api/operator/networks");
  const networks = answer === null ? [] : rowsOf(answer.body, "networks");
  return (
    <Section
      title="Networks"
      aside={
        <button type="button" onClick={again}>
          Read again
        </button>
      }
    >
      <Refusal answer={answer} />
      {networks.map((network) => (
        <Network key={words(network, "network")} network={network} />
      ))}
    </Section>
  );
};

const DAY_H = 24;

const ageOf = (hours: number | null): string => {
  if (hours === null) return "—";
  if (hours < 1) return "under an hour";
  return hours < 2 * DAY_H ? `${hours} h` : `${Math.floor(hours / DAY_H)} days`;
};

/** Imported lists with their age. */
export const Lists = () => {
  const { answer } = useAccountQuery("/api/operator/lists");
  return (
    <Section title="Lists">
      <Refusal answer={answer} />
      <Table
        label="Imported lists"
        rows={answer === null ? [] : rowsOf(answer.body, "lists")}
        keyOf={(row) => words(row, "list")}
        empty={answer === null ? "Loading…" : "No list was imported."}
        columns={[
          { head: "List", cell: (row) => words(row, "list") },
          { head: "Kind", cell: (row) => words(row, "kind") },
          { head: "Rows", cell: (row) => formatNumber(numberOf(row, "rows")), is_number: true },
          { head: "Age", cell: (row) => ageOf(numberOf(row, "age_hours")) },
          { head: "Version", cell: (row) => words(row, "version").slice(0, 16) },
          { head: "Licence", cell: (row) => words(row, "licence") || "—" },
          { head: "Published", cell: (row) => words(row, "published_on") || "—" },
        ]}
      />
    </Section>
  );
};
