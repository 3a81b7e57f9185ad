// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

import {IssuedToken} from "./IssuedToken.sol";

/// Blacklists in the manner of TrueUSD: one event whose flag is the direction, and no way to ask the contract.
contract TrueToken is IssuedToken {
    event Blacklisted(address indexed account, bool isBlacklisted);

    constructor(string memory name_, string memory symbol_, address issuer_) IssuedToken(name_, symbol_, issuer_) {}

    function setBlacklisted(address account, bool is_blacklisted) external onlyIssuer {
        blocked[account] = is_blacklisted;
        emit Blacklisted(account, is_blacklisted);
    }
}
