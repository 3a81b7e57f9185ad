// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

import {IssuedToken} from "./IssuedToken.sol";

/// Blocks many accounts at once in the manner of USDtb: the event carries a list.
contract BatchToken is IssuedToken {
    event AccountsBlocked(address[] accounts);
    event AccountsUnblocked(address[] accounts);

    constructor(string memory name_, string memory symbol_, address issuer_) IssuedToken(name_, symbol_, issuer_) {}

    function setBlocked(address[] calldata accounts, bool is_blocked) external onlyIssuer {
        for (uint256 i = 0; i < accounts.length; i++) blocked[accounts[i]] = is_blocked;
        if (is_blocked) emit AccountsBlocked(accounts);
        else emit AccountsUnblocked(accounts);
    }
}
