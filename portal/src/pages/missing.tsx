import { Notice } from "../ui/notice.tsx";

const Missing = () => (
  <Notice tone="warn" title="There is no such page">
    <a href="/">Search for an address, a hash, a token or a name</a>
  </Notice>
);

export default Missing;
