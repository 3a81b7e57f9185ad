import { useEffect, useState } from "preact/hooks";
import { isFields, type JsonObject, type ToolAnswer } from "../api/answer.ts";
import { Refusal, Section, Sure, Table } from "./parts.tsx";
import {
  formatNumber,
  numberColumn,
  numberOf,
  rowsOf,
  sendRequest,
  timeOf,
  useAccountQuery,
  words,
} from "./request.ts";

const LOOK_MS = 2_000;

const STATES: Readonly<Record<string, string>> = {
  waiting: "waiting for the indexer",
  searching: "searching its blocks",
  reading: "reading its blocks",
  read: "read",
  failed: "failed; Assay tries again",
  left: "ended",
};

const stateOf = (row: JsonObject): string => {
  const problem = words(row, "problem");
  const state = STATES[words(row, "state")] ?? words(row, "state");
  return problem === "" ? state : `${state}: ${problem}`;
};

const blocksOf = (row: JsonObject): string => {
  const [found, read] = [numberOf(row, "blocks_found"), numberOf(row, "blocks_read")];
  return found === read ? formatNumber(found) : `${formatNumber(read)} of ${formatNumber(found)}`;
};

const WalletLink = ({ row }: { readonly row: JsonObject }) => {
  const [network, address] = [words(row, "network"), words(row, "address")];
  return (
    <a href={`/app/wallet/${encodeURIComponent(network)}/${encodeURIComponent(address)}`}>
      <code>{address}</code>
    </a>
  );
};

interface FollowProps {
  readonly networks: readonly string[];
  readonly onDone: (answer: ToolAnswer) => void;
}

const Follow = ({ networks, onDone }: FollowProps) => {
  const [text, setText] = useState("");
  const [network, setNetwork] = useState(networks[0] ?? "");
  const addresses = text.split(/[\s,]+/).filter((one) => one !== "");
  const follow = async (event: Event) => {
    event.preventDefault();
    const answer = await sendRequest("POST", "/api/followed", { network, addresses });
    if (answer.status !== "error") setText("");
    onDone(answer);
  };
  return (
    <form class="make" onSubmit={(event) => void follow(event)}>
      <label>
        Network{" "}
        <select value={network} onInput={(event) => setNetwork(event.currentTarget.value)}>
          {networks.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      </label>
      <label>
        Addresses <input value={text} onInput={(event) => setText(event.currentTarget.value)} />
      </label>
      <button type="submit" class="button-main" disabled={addresses.length === 0}>
        Read and follow
      </button>
    </form>
  );
};

/** Addresses whose history the account has read on networks on demand. Nothing where the service has no such network. */
export const Followed = () => {
  const { answer, again } = useAccountQuery("/api/followed");
  const [refused, setRefused] = useState<ToolAnswer | null>(null);
  const rows = answer?.status === "data" ? rowsOf(answer.body, "addresses") : [];
  const is_reading = rows.some((row) => words(row, "state") !== "read");
  useEffect(() => {
    if (!is_reading) return;
    const timer = setInterval(again, LOOK_MS);
    return () => clearInterval(timer);
  }, [is_reading, again]);
  if (answer === null || answer.status === "error") return null;
  const networks = Array.isArray(answer.body.networks) ? answer.body.networks.map(String) : [];
  if (networks.length === 0) return null;
  const allowed = isFields(answer.body.limits) ? answer.body.limits : {};
  const done = (got: ToolAnswer) => {
    setRefused(got);
    again();
  };
  const leave = async (row: JsonObject) => {
    const [network, address] = [words(row, "network"), words(row, "address")];
    done(await sendRequest("POST", "/api/followed/leave", { network, addresses: [address] }));
  };
  return (
    <Section
      title="Addresses on demand"
      aside={
        <small>
          {formatNumber(numberOf(allowed, "addresses"))} of {formatNumber(numberOf(allowed, "addresses_max"))}
        </small>
      }
    >
      <Refusal answer={refused} />
      <Follow networks={networks} onDone={done} />
      <Table
        label="Addresses that the account follows"
        rows={rows}
        keyOf={(row) => `${words(row, "network")} ${words(row, "address")}`}
        empty="A call about an address on these networks reads its history, too."
        columns={[
          { head: "Network", cell: (row) => words(row, "network") },
          { head: "Address", value: (row) => words(row, "address"), cell: (row) => <WalletLink row={row} /> },
          { head: "State", cell: stateOf },
          { head: "Blocks", cell: blocksOf, is_number: true },
          { head: "Read until (UTC)", cell: (row) => timeOf(words(row, "to_time")) },
          { head: "Search", cell: (row) => words(row, "search") },
          numberColumn("Node calls", "requests"),
          {
            head: "Change",
            cell: (row) => <Sure name="Leave" question="Follow it no more?" onSure={() => void leave(row)} />,
          },
        ]}
      />
    </Section>
  );
};
