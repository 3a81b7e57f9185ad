import { useEffect, useState } from "preact/hooks";
import { type ListedNetwork, networks } from "../api/client.ts";

/** The service's networks; null until they are known, [] where the service cannot be reached. */
export const useNetworks = (): readonly ListedNetwork[] | null => {
  const [list, setList] = useState<readonly ListedNetwork[] | null>(null);
  useEffect(() => {
    let is_wanted = true;
    networks().then(
      (read) => is_wanted && setList(read),
      () => is_wanted && setList([]),
    );
    return () => {
      is_wanted = false;
    };
  }, []);
  return list;
};
