import { Notice } from "../ui/notice.tsx";

const Missing = () => (
  <>
    <h1>Nothing is here</h1>
    <Notice tone="warn" title="Page not found">
      <a href="/">Search for an address, a hash, a token or a name</a>
    </Notice>
  </>
);

export default Missing;
