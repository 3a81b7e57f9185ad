/** What is told of a token's site. */

/** What the page shows. */
export interface Content {
  title: string | null;
  language: string | null;
  mentions_token_address: boolean;
  mentions_symbol: boolean | null;
  other_contract_addresses: string[];
  links_socials: {
    x: string | null;
    telegram: string | null;
    discord: string | null;
    github: string | null;
    docs: string | null;
  };
  socials_match_metadata: boolean | null;
  has_whitepaper: boolean;
  is_parked: boolean;
  is_template_clone_of: string | null;
  text_bytes: number;
  content_hash: string;
}
