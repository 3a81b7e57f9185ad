// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

import {Token20} from "./Token20.sol";

/// A dollar token in the manner of Circle's FiatToken v2: roles instead of one owner, minters with allowances, a
/// blacklist that blocks sender, receiver and spender, and a pause. Lives behind a proxy; event and function names are
/// those of the original.
contract FiatToken is Token20 {
    string public currency;
    address public owner;
    address public masterMinter;
    address public pauser;
    address public blacklister;
    bool public paused;
    bool private initialized;
    mapping(address => bool) private blacklisted;
    mapping(address => bool) public isMinter;
    mapping(address => uint256) public minterAllowance;

    event Mint(address indexed minter, address indexed to, uint256 amount);
    event Burn(address indexed burner, uint256 amount);
    event MinterConfigured(address indexed minter, uint256 minterAllowedAmount);
    event MinterRemoved(address indexed oldMinter);
    event Blacklisted(address indexed _account);
    event UnBlacklisted(address indexed _account);
    event BlacklisterChanged(address indexed newBlacklister);
    event Pause();
    event Unpause();
    event OwnershipTransferred(address previousOwner, address newOwner);

    modifier onlyBy(address role) {
        require(msg.sender == role, "FiatToken: caller lacks the role");
        _;
    }

    modifier notBlacklisted(address account) {
        require(!blacklisted[account], "Blacklistable: account is blacklisted");
        _;
    }

    function initialize(string calldata name_, string calldata symbol_, address authority) external {
        require(!initialized, "FiatToken: contract is already initialized");
        initialized = true;
        _describe(name_, symbol_, 6);
        currency = "USD";
        owner = authority;
        masterMinter = authority;
        pauser = authority;
        blacklister = authority;
        emit OwnershipTransferred(address(0), authority);
    }

    function configureMinter(address minter, uint256 amount) external onlyBy(masterMinter) returns (bool) {
        isMinter[minter] = true;
        minterAllowance[minter] = amount;
        emit MinterConfigured(minter, amount);
        return true;
    }

    function removeMinter(address minter) external onlyBy(masterMinter) returns (bool) {
        isMinter[minter] = false;
        minterAllowance[minter] = 0;
        emit MinterRemoved(minter);
        return true;
    }

    function mint(address to, uint256 amount) external notBlacklisted(msg.sender) notBlacklisted(to) returns (bool) {
        require(!paused, "Pausable: paused");
        require(isMinter[msg.sender] && minterAllowance[msg.sender] >= amount, "FiatToken: mint amount exceeds minterAllowance");
        minterAllowance[msg.sender] -= amount;
        emit Mint(msg.sender, to, amount);
        _mint(to, amount);
        return true;
    }

    function burn(uint256 amount) external notBlacklisted(msg.sender) {
        require(!paused && isMinter[msg.sender], "FiatToken: caller is not a minter");
        emit Burn(msg.sender, amount);
        _burn(msg.sender, amount);
    }

    function isBlacklisted(address account) external view returns (bool) {
        return blacklisted[account];
    }

    function blacklist(address account) external onlyBy(blacklister) {
        blacklisted[account] = true;
        emit Blacklisted(account);
    }

    function unBlacklist(address account) external onlyBy(blacklister) {
        blacklisted[account] = false;
        emit UnBlacklisted(account);
    }

    function updateBlacklister(address newBlacklister) external onlyBy(owner) {
        blacklister = newBlacklister;
        emit BlacklisterChanged(newBlacklister);
    }

    function pause() external onlyBy(pauser) {
        paused = true;
        emit Pause();
    }

    function unpause() external onlyBy(pauser) {
        paused = false;
        emit Unpause();
    }

    function _move(address from, address to, uint256 value)
        internal
        override
        notBlacklisted(msg.sender)
        notBlacklisted(from)
        notBlacklisted(to)
    {
        require(!paused, "Pausable: paused");
        super._move(from, to, value);
    }
}
