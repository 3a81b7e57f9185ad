// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

import {Token20} from "./Token20.sol";

/// A dollar token whose issuer mints it and blocks accounts from sending. How it says so is what its children differ in.
abstract contract IssuedToken is Token20 {
    address public immutable issuer;
    mapping(address => bool) internal blocked;

    modifier onlyIssuer() {
        require(msg.sender == issuer, "IssuedToken: caller is not the issuer");
        _;
    }

    constructor(string memory name_, string memory symbol_, address issuer_) {
        _describe(name_, symbol_, 6);
        issuer = issuer_;
    }

    function mint(address to, uint256 value) external onlyIssuer {
        _mint(to, value);
    }

    function _move(address from, address to, uint256 value) internal override {
        require(!blocked[from] && !blocked[to], "IssuedToken: account is blocked");
        super._move(from, to, value);
    }
}
