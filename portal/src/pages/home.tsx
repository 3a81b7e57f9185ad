import { useEffect, useState } from "preact/hooks";
import { type ListedNetwork, networks } from "../api/client.ts";

const Home = () => {
  const [list, setList] = useState<readonly ListedNetwork[] | null>(null);
  useEffect(() => {
    networks().then(setList, () => setList([]));
  }, []);
  return (
    <section class="home">
      <h1>Assay</h1>
      <p>Exact questions about wallets, tokens, transactions and contracts.</p>
      <ul class="plain">
        {list?.map(({ id, name }) => (
          <li key={id}>{name}</li>
        ))}
      </ul>
    </section>
  );
};

export default Home;
