// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

import {Token20} from "./Token20.sol";

/// A token that says where its metadata lies (ERC-7572).
contract SiteToken is Token20 {
    string public contractURI;

    constructor(string memory name_, string memory symbol_, string memory uri, uint256 supply) {
        _describe(name_, symbol_, 18);
        contractURI = uri;
        _mint(msg.sender, supply);
    }
}
